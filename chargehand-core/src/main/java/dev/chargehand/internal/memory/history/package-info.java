/** What a run sees of the messages of its thread. */
@NullMarked
package dev.chargehand.internal.memory.history;

import org.jspecify.annotations.NullMarked;
