/** Connections to providers and their HTTP exchanges. */
@NullMarked
package dev.chargehand.provider.connection;

import org.jspecify.annotations.NullMarked;
