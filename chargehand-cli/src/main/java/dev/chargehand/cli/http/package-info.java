/** Tools that call operations of HTTP APIs. */
@NullMarked
package dev.chargehand.cli.http;

import org.jspecify.annotations.NullMarked;
