/** The wire of Mastra's client for JavaScript: workflows and their runs in the forms that it reads. */
@NullMarked
package dev.chargehand.server.internal.wire.mastra.workflow;

import org.jspecify.annotations.NullMarked;
