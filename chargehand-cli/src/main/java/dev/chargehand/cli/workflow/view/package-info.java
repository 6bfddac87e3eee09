/** Lines that show workflows, and how far runs have come in them. */
@NullMarked
package dev.chargehand.cli.workflow.view;

import org.jspecify.annotations.NullMarked;
