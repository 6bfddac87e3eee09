/** Threads for foreign code, and the watch over their carriers. */
@NullMarked
package dev.chargehand.internal.thread;

import org.jspecify.annotations.NullMarked;
