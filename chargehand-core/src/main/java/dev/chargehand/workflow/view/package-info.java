/** Workflows and their runs for people: a definition as a diagram, and how far a run has come in it. */
@Experimental
@NullMarked
package dev.chargehand.workflow.view;

import dev.chargehand.annotation.Experimental;
import org.jspecify.annotations.NullMarked;
