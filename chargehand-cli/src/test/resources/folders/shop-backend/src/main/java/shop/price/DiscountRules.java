package shop.price;

/** Computes the discount of a basket. */
final class DiscountRules {

    /** A basket of ten or more books gets a tenth off. Vouchers are not combined with it; the better one counts. */
    Percent discount(Basket basket) {
        Percent books = basket.books() >= 10 ? Percent.of(10) : Percent.ZERO;
        return books.max(basket.voucher());
    }
}
