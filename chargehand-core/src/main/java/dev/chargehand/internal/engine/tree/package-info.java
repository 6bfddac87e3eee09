/** A root run and its descendants while they are live. */
@NullMarked
package dev.chargehand.internal.engine.tree;

import org.jspecify.annotations.NullMarked;
