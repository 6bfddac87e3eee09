/** Whether a task is done: scorers, and what a run does with their scores. */
@NullMarked
package dev.chargehand.completion;

import org.jspecify.annotations.NullMarked;
