/** A server of HTTP for tests of tools that call one. */
@NullMarked
package dev.chargehand.testkit.http;

import org.jspecify.annotations.NullMarked;
