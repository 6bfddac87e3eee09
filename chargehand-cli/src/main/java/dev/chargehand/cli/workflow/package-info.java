/** The commands for workflows. */
@NullMarked
package dev.chargehand.cli.workflow;

import org.jspecify.annotations.NullMarked;
