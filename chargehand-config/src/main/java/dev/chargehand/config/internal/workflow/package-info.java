/** Workflows of a file: what the reader has read, and the templates and pointers in them. */
@NullMarked
package dev.chargehand.config.internal.workflow;

import org.jspecify.annotations.NullMarked;
