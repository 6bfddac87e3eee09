/** Stores that earlier schemas hold, and what becomes of them. */
@NullMarked
package dev.chargehand.tests.upgrade;

import org.jspecify.annotations.NullMarked;
