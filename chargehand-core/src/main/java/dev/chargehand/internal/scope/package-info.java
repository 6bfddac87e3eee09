/** What is in force for a run while it is live. */
@NullMarked
package dev.chargehand.internal.scope;

import org.jspecify.annotations.NullMarked;
