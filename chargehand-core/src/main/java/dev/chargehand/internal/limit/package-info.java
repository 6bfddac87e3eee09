/** What bounds a run: cancellation, time, the ledger of its tree, and calls out that can be abandoned. */
@NullMarked
package dev.chargehand.internal.limit;

import org.jspecify.annotations.NullMarked;
