/** The facts of a run, their stored form, and the state that is folded from them. */
@NullMarked
package dev.chargehand.internal.fact;

import org.jspecify.annotations.NullMarked;
