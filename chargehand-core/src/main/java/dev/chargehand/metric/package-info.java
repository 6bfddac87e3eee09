/** Counts of runs, with what they used and how long they took. */
@NullMarked
package dev.chargehand.metric;

import org.jspecify.annotations.NullMarked;
