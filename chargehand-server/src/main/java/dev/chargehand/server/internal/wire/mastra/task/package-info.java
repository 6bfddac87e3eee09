/** Background tasks as Mastra's client reads them. */
@NullMarked
package dev.chargehand.server.internal.wire.mastra.task;

import org.jspecify.annotations.NullMarked;
