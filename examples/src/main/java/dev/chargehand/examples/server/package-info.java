/** Agents over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.chargehand.examples.server;
