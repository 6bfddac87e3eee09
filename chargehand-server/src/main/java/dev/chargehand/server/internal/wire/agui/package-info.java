/** The wire of AG-UI's clients, under {@code /ag-ui}. */
@NullMarked
package dev.chargehand.server.internal.wire.agui;

import org.jspecify.annotations.NullMarked;
