/** The rules of the saved versions of a store: {@link dev.chargehand.testkit.store.version.VersionRules}. */
@NullMarked
package dev.chargehand.testkit.store.version;

import org.jspecify.annotations.NullMarked;
