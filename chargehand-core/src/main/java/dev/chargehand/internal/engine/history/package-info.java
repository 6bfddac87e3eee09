/** Narrates stored runs. */
@NullMarked
package dev.chargehand.internal.engine.history;

import org.jspecify.annotations.NullMarked;
