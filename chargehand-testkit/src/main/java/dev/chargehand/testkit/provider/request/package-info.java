/** Requests that the loopback provider received, and their parsing. */
@NullMarked
package dev.chargehand.testkit.provider.request;

import org.jspecify.annotations.NullMarked;
