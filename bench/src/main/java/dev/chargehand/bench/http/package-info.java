/** Measurements of the server. */
@NullMarked
package dev.chargehand.bench.http;

import org.jspecify.annotations.NullMarked;
