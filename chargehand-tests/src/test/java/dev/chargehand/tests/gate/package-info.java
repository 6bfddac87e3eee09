/** The whole gate, combination by combination, against an oracle written from the contract. */
@NullMarked
package dev.chargehand.tests.gate;

import org.jspecify.annotations.NullMarked;
