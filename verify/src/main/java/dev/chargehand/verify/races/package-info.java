/** Answers to the same approvals, given at once. */
@NullMarked
package dev.chargehand.verify.races;

import org.jspecify.annotations.NullMarked;
