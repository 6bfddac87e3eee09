/** Bounded calls of foreign code: time limits, cancellation, the context of the caller, the budget. */
@NullMarked
package dev.chargehand.internal.call;

import org.jspecify.annotations.NullMarked;
