/** Terminates a process while it executes many runs, and lets another one finish them. */
@NullMarked
package dev.chargehand.verify.release;

import org.jspecify.annotations.NullMarked;
