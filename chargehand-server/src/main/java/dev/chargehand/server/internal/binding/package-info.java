/** The servers of HTTP: what listens, and how its requests become exchanges. */
@NullMarked
package dev.chargehand.server.internal.binding;

import org.jspecify.annotations.NullMarked;
