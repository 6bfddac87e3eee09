/** What all harnesses share: options, cases, stores and tallies. */
@NullMarked
package dev.chargehand.verify.harness;

import org.jspecify.annotations.NullMarked;
