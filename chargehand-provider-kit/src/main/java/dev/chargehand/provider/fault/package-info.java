/** What goes wrong with a provider, as exceptions, without secrets. */
@NullMarked
package dev.chargehand.provider.fault;

import org.jspecify.annotations.NullMarked;
