/** Stores that harnesses put their runs into, and that several processes can open. */
@NullMarked
package dev.chargehand.verify.stores;

import org.jspecify.annotations.NullMarked;
