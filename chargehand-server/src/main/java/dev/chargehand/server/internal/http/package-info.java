/** One HTTP request and its response, regardless of the server of HTTP below. */
@NullMarked
package dev.chargehand.server.internal.http;

import org.jspecify.annotations.NullMarked;
