/** Cuts readers of runs after any event, and kills the processes of the runs. */
@NullMarked
package dev.chargehand.verify.watch;

import org.jspecify.annotations.NullMarked;
