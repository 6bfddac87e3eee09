/** What a store can be asked to delete. */
@NullMarked
package dev.chargehand.store.deletion;

import org.jspecify.annotations.NullMarked;
