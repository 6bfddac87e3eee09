/** Processes that are killed in the middle of runs, and runs that others continue. */
@NullMarked
package dev.chargehand.verify.kill;

import org.jspecify.annotations.NullMarked;
