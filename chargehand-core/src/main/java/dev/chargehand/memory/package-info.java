/** The memory of agents: what they recall of conversations, and what they note about users. */
@NullMarked
package dev.chargehand.memory;

import org.jspecify.annotations.NullMarked;
