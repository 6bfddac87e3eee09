/** Forks runs at a step. */
@NullMarked
package dev.chargehand.internal.engine.fork;

import org.jspecify.annotations.NullMarked;
