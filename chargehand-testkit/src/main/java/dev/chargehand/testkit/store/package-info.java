/** The rules that every store keeps, as tests to run on yours: extend {@link StoreContract}. */
@NullMarked
package dev.chargehand.testkit.store;

import org.jspecify.annotations.NullMarked;
