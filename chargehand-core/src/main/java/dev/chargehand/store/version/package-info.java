/** The part of a store that keeps saved versions of agents: {@link dev.chargehand.store.version.VersionStore}. */
@NullMarked
package dev.chargehand.store.version;

import org.jspecify.annotations.NullMarked;
