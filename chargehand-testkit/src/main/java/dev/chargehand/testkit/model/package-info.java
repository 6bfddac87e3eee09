/** Proofs that a model does what the loop relies on, over real sockets, on the protocols of several providers. */
@NullMarked
package dev.chargehand.testkit.model;

import org.jspecify.annotations.NullMarked;
