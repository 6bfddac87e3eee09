/** Who a caller is, and from which hosts and origins requests are accepted. */
@NullMarked
package dev.chargehand.server.internal.auth;

import org.jspecify.annotations.NullMarked;
