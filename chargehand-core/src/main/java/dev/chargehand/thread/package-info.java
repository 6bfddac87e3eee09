/** Conversations: their records, their messages, and what can be done with them. */
@NullMarked
package dev.chargehand.thread;

import org.jspecify.annotations.NullMarked;
