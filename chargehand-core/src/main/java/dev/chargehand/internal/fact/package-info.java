/** Facts: what has happened in a run. */
@NullMarked
package dev.chargehand.internal.fact;

import org.jspecify.annotations.NullMarked;
