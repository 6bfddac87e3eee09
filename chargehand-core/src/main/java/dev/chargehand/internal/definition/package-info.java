/** What an agent is, below all that executes one: {@link dev.chargehand.internal.definition.AgentDefinition}. */
@NullMarked
package dev.chargehand.internal.definition;

import org.jspecify.annotations.NullMarked;
