/** The OpenAPI document of the server, made from its table of routes. */
@NullMarked
package dev.chargehand.server.internal.openapi;

import org.jspecify.annotations.NullMarked;
