/** Delegations: guards, prompts, results, and the arbitration of bails. */
@NullMarked
package dev.chargehand.internal.agent.delegation;

import org.jspecify.annotations.NullMarked;
