/** Workflows: definitions of steps that run in an order which is known before the run, and what their code receives. */
@Experimental
@NullMarked
package dev.chargehand.workflow;

import dev.chargehand.annotation.Experimental;
import org.jspecify.annotations.NullMarked;
