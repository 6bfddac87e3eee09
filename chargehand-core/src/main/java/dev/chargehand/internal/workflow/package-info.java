/** The stages of the runs of workflows. */
@NullMarked
package dev.chargehand.internal.workflow;

import org.jspecify.annotations.NullMarked;
