/** The loop and the stages of agents. */
@NullMarked
package dev.chargehand.internal.agent;

import org.jspecify.annotations.NullMarked;
