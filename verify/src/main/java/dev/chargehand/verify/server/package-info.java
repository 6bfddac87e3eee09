/** Cuts streams of events over HTTP, and kills the servers that write them. */
@NullMarked
package dev.chargehand.verify.server;

import org.jspecify.annotations.NullMarked;
