/** Kills a process that executes a conversation with background tasks, again and again. */
@NullMarked
package dev.chargehand.verify.tasks;

import org.jspecify.annotations.NullMarked;
