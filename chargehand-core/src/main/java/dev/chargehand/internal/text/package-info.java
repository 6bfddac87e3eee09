/**
 * Reads foreign text at a bounded cost. The only internal package that public packages may use: it uses none itself.
 */
@NullMarked
package dev.chargehand.internal.text;

import org.jspecify.annotations.NullMarked;
