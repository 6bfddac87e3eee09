/** What bounds a single caller, so that it does not take the places of others. */
@NullMarked
package dev.chargehand.server.internal.limit;

import org.jspecify.annotations.NullMarked;
