/** The events of agents and networks: their steps, answers and calls. */
@NullMarked
package dev.chargehand.internal.event.conversation;

import org.jspecify.annotations.NullMarked;
