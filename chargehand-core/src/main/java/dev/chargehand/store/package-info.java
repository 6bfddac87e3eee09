/** Where runs and threads are kept: the interface of a store, its values, and the store in memory. */
@NullMarked
package dev.chargehand.store;

import org.jspecify.annotations.NullMarked;
