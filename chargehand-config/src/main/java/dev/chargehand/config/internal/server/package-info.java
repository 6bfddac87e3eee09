/** Reads what {@code chargehand.yaml} says of the server of its agents. */
@NullMarked
package dev.chargehand.config.internal.server;

import org.jspecify.annotations.NullMarked;
